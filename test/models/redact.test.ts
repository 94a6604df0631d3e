import { expect, it } from "vitest";
import { createRedactor } from "../../src/models/index.js";

const redact = createRedactor();

it.each([
  ["db password is tr0ub-heron-77, thanks", "tr0ub-heron-77"],
  ["The password tr0ub-heron-77 opens it", "tr0ub-heron-77"],
  ["passphrase: “correct-horse-9”", "correct-horse-9"],
  ["API_KEY=abcd1234efgh", "abcd1234efgh"],
  ["secret key: zzz999yyy", "zzz999yyy"],
  ["key sk-demo-AAAABBBBCCCCDDDDEEEE1111", "sk-demo-AAAABBBBCCCCDDDDEEEE1111"],
  ["Bearer abc123def456ghi789==", "abc123def456ghi789"],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdef12345", "eyJhbGciOiJIUzI1NiJ9"],
  ["AKIAABCDEFGHIJKLMNOP", "AKIAABCDEFGHIJKLMNOP"],
  ["密码是heron7788。", "heron7788"],
])("cuts the secret out of %j (R64)", (text, secret) => {
  expect(redact(text)).not.toContain(secret);
  expect(redact(text)).toContain("[redacted]");
});

it.each([
  "Ilse changed her password yesterday.",
  "The key to the shed is under the mat.",
  "Ilse's locker code is 4417.",
  "The bearer of the ring is Bram.",
  "我忘了密码。",
])("leaves %j as it is", (text) => {
  expect(redact(text)).toBe(text);
});

it("cuts out the caller's own patterns too, and nothing twice", () => {
  const own = createRedactor([/\bEMP-\d+/g]);
  expect(own("EMP-12 has password is abc123")).toBe("[redacted] has password is [redacted]");
  expect(own(own("password is abc123"))).toBe(own("password is abc123"));
});

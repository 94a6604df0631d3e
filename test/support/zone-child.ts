/** Adds dated turns from several zones, and prints the local day of each resulting entry as JSON. */
import { SimpleMem } from "../../src/index.js";

const turns = [
  { id: "tomorrow", zone: "UTC", content: "I go to the dentist tomorrow.", timestamp: "2026-01-10T23:30:00-08:00" },
  { id: "today", zone: "UTC", content: "I painted the boat today.", timestamp: "2026-01-10T08:00:00+09:00" },
  { id: "yesterday", zone: "UTC", content: "I sold the loom yesterday.", timestamp: "2024-11-05T09:00:00Z" },
  { id: "bare", zone: "America/Los_Angeles", content: "I bought a kayak yesterday.", timestamp: "2025-07-01T20:00:00" },
  { id: "zulu", zone: "America/Los_Angeles", content: "I met Maren today.", timestamp: "2026-01-11T05:00:00Z" },
];

function localDay(instant: string, offsetMinutes: number): string {
  return new Date(Date.parse(instant) + offsetMinutes * 60_000).toISOString().slice(0, 10);
}

const OFFSETS: Record<string, number> = { tomorrow: -480, today: 540, yesterday: 0, bare: -420, zulu: -480 };
const days: Record<string, string> = {};
for (const { id, zone, content, timestamp } of turns) {
  await using simplemem = await SimpleMem.open({ uri: "memory://", timeZone: zone, window: { idleMs: 0 } });
  const memory = simplemem.scope({ userId: "u-ilse" });
  await memory.add({ id, speaker: "Ilse Corrin", content, timestamp });
  await memory.flush();
  const [entry] = (await memory.list()).items;
  days[id] = entry?.timestamp ? localDay(entry.timestamp, OFFSETS[id] ?? 0) : "none";
}
process.stdout.write(`${JSON.stringify(days)}\n`);

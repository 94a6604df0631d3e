import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A process of its own, which says what came of it in the last line of its output, as JSON. */
export function inChild<T>(script: URL, args: readonly string[], flags: readonly string[] = []): Promise<T> {
  return new Promise((resolve, reject) => {
    const path = fileURLToPath(script);
    const loader = path.endsWith(".ts") ? ["--import", "tsx"] : [];
    const child = spawn(process.execPath, [...flags, ...loader, path, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.on("error", reject);
    child.on("close", (code) => {
      const last = Buffer.concat(pieces).toString("utf8").trim().split("\n").at(-1) ?? "";
      if (code !== 0) reject(new Error(`${path} ended with ${code}`));
      else {
        const result: T = JSON.parse(last);
        resolve(result);
      }
    });
  });
}

/** True in the process that was started with this file. */
export function isMain(url: string): boolean {
  return process.argv[1] === fileURLToPath(url);
}

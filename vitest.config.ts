import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/package/**"],
    globalSetup: ["test/support/programs.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Files share a worker and the modules that it loaded: loading LanceDB and LangGraph anew costs more than most files.
    isolate: false,
    // One for each core of a small machine: left to itself the runner keeps one of two free.
    maxWorkers: 2,
  },
});

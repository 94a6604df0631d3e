import { defineConfig } from "vitest/config";

/** What a user gets: the packed tarball, installed from the registry into empty folders. The tests share those folders: one file at a time. */
export default defineConfig({
  test: {
    include: ["test/package/**/*.test.ts"],
    globalSetup: ["test/package/setup.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});

const startedAt = performance.now();
await import(process.argv[2] ?? "");
console.log(JSON.stringify(performance.now() - startedAt));

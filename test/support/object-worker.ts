import { SimpleMem } from "../../src/index.js";

const [uri = "", options = "{}", name = "", turns = "0"] = process.argv.slice(2);
const storageOptions: Record<string, string> = JSON.parse(options);

const simplemem = await SimpleMem.open({ uri, storageOptions, window: { idleMs: 0 } });
const memory = simplemem.scope({ userId: "u-ilse" });
for (let index = 1; index <= Number(turns); index += 1) {
  const id = `${name}-${index}`;
  await memory.add({
    id,
    speaker: "Ilse",
    content: `Boat ${id} has ${index + 1} oars.`,
    timestamp: "2025-03-04T12:00:00Z",
  });
  console.log(id);
}
await simplemem.close({ flush: false });

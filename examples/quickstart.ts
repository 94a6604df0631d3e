import { SimpleMem } from "../src/index.js";

const simplemem = await SimpleMem.open({ uri: "memory://" });
const memory = simplemem.scope({ userId: "ilse" });
await memory.add([
  { speaker: "Ilse", content: "I moved to Graz on 3 March 2025.", timestamp: "2025-03-10T09:00:00+01:00" },
  { speaker: "Ilse", content: "My sister Ane repairs clocks there.", timestamp: "2025-03-10T09:01:00+01:00" },
]);
await memory.flush();
const { answer, citations } = await memory.ask("Who repairs clocks?");
console.log(answer, citations);
await simplemem.close();

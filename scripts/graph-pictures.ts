import { SimpleMem } from "../src/index.js";

const simplemem = await SimpleMem.open({ uri: "memory://" });
for (const graph of [simplemem.writeGraph, simplemem.readGraph]) {
  const drawable = await graph.getGraphAsync();
  console.log(drawable.drawMermaid());
}
await simplemem.close();

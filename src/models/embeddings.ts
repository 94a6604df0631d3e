export { LocalEmbeddings } from "./local-embeddings.js";

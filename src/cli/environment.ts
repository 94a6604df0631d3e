/** Variables of the environment that the program reads, and what they say. */
export const ENVIRONMENT: { readonly [name: string]: string } = {
  SIMPLEMEM_URI: "as `--uri`",
  SIMPLEMEM_USER: "as `--user`",
  SIMPLEMEM_TIME_ZONE: "as `--time-zone`",
  SIMPLEMEM_CONFIG: "as `--config`",
  SIMPLEMEM_TOKEN: "the token of `serve` and `mcp --http` for the memory of `--user`",
  SIMPLEMEM_OPERATOR_TOKEN: "opens /metrics of `serve`",
  OPENAI_API_KEY:
    "a model runs the stages, through `@langchain/openai`, which must be installed; absent: rules, offline",
  OPENAI_BASE_URL: "another service with the same API",
  OPENAI_MODEL: "the model; default `gpt-4.1-mini`",
  OPENAI_EMBEDDING_MODEL: "makes the vectors, too; absent: the local embeddings",
  NO_COLOR: "no colours on a terminal",
};

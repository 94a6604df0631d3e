/** The floors of docs/design.md, ground floor first: a file imports only from its own folder or a lower floor. */
const FLOORS = ["records", "language", "models", "store", "retrievers", "stages", "graph", "memory", "agents"];

const higherFloors = FLOORS.slice(0, -1).map((floor, index) => ({
  name: `floor-${floor}`,
  comment: `src/${floor} may not import from a higher floor.`,
  severity: "error",
  from: { path: `^src/${floor}/` },
  to: { path: `^src/(${FLOORS.slice(index + 1).join("|")}|index\\.ts)` },
}));

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    ...higherFloors,
    {
      name: "lancedb-only-in-store",
      comment: "Above src/store nobody sees a LanceDB or Arrow type.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/store/" },
      to: { path: "node_modules/(@lancedb|apache-arrow)" },
    },
    {
      name: "stages-never-touch-the-store",
      severity: "error",
      from: { path: "^src/stages/" },
      to: { path: "^src/store/" },
    },
    {
      name: "stages-keep-to-themselves",
      comment: "A stage knows its own folder, the shared run, and the floors below.",
      severity: "error",
      from: { path: "^src/stages/([^/]+)/" },
      to: { path: "^src/stages/([^/]+)/", pathNot: "^src/stages/$1/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};

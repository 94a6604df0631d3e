/** The floors of docs/design.md, ground floor first: a file imports only from its own folder or a lower floor. */
const FLOORS = ["records", "language", "models", "store", "retrievers", "stages", "graph", "memory", "agents", "eval"];

/** Doors for people and programs: on top of every floor, and none knows another. */
const TOP_DOORS = ["cli", "mcp", "server", "inspector"];

const higherFloors = FLOORS.map((floor, index) => ({
  name: `floor-${floor}`,
  comment: `src/${floor} may not import from a higher floor.`,
  severity: "error",
  from: { path: `^src/${floor}/` },
  to: { path: `^src/(${[...FLOORS.slice(index + 1), ...TOP_DOORS].join("/|")}/|index\\.ts)` },
}));

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    ...higherFloors,
    {
      name: "top-doors-keep-to-themselves",
      comment: "A door on top may use every floor and the package's own index, not another door.",
      severity: "error",
      from: { path: `^src/(${TOP_DOORS.join("|")})/` },
      to: { path: `^src/(${TOP_DOORS.join("|")})/`, pathNot: "^src/$1/" },
    },
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

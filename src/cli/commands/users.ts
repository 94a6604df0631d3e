import type { Command } from "commander";
import { type Cli, performOnStore } from "../call.js";

/** `simplemem users` */
export function addUsers(program: Command, cli: Cli): void {
  program
    .command("users")
    .summary("list who has a memory")
    .description("Lists the users that have anything in the store, of one tenant when --tenant names one.")
    .action(async (_flags: unknown, command: Command) => {
      await performOnStore(cli, command, {}, async ({ simplemem, output, globals }) => {
        const users = await simplemem.users.list(globals.tenant === undefined ? {} : { tenantId: globals.tenant });
        await output.give(users, async () => {
          if (users.length === 0) await output.note("There are none yet.");
          else
            await output.table(
              ["user", "tenant"],
              users.map(({ userId, tenantId }) => [userId, tenantId ?? ""]),
            );
        });
        return undefined;
      });
    });
}

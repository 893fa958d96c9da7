/** Examples of use, shown by the help of each command; every one of them is run by a test. */

/** The lines, by the command that shows them. */
const all: Readonly<Record<string, ReadonlyArray<string>>> = {
  vigil: ["vigil events list --sandbox", "vigil apps list --sandbox", "vigil sandbox --port 8080"],
  "vigil events": ["vigil events list --sandbox"],
  "vigil events list": ["vigil events list --sandbox", "vigil events list --sandbox --output jsonl"],
  "vigil apps": ["vigil apps whoami --sandbox", "vigil apps list --sandbox"],
  "vigil apps whoami": ["vigil apps whoami --sandbox", "vigil apps whoami --sandbox --output json"],
  "vigil apps list": ["vigil apps list --sandbox", "vigil apps list --sandbox --output csv"],
  "vigil apps url": [
    "vigil apps url fleet/dispatch --sandbox",
    "vigil apps url fleet/dispatch --owner-type org --portal https://portal.example",
  ],
  "vigil apps remove-user": [
    "vigil apps remove-user fleet/dispatch lin.wu@vigil.example --dry-run",
    "vigil apps remove-user fleet/dispatch lin.wu@vigil.example --yes --sandbox",
  ],
  "vigil apps request": [
    "vigil apps request GET apps/fleet/dispatch/users --sandbox",
    `vigil apps request PATCH apps/fleet/dispatch --data '{"description":"Vans"}' --yes --sandbox`,
  ],
  "vigil sandbox": [
    "vigil sandbox --port 8080 --seed 7",
    "vigil sandbox --fault status-503",
    "vigil sandbox --fault list",
  ],
  "vigil completions": ["vigil completions bash", "vigil completions fish"],
}

/** Those of a command, by its path. */
export const of = (path: string): ReadonlyArray<string> => all[path] ?? []

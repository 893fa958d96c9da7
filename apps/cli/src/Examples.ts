/** Examples of use, shown by the help of each command; every one of them is run by a test. */

/** The lines, by the command that shows them. */
const all: Readonly<Record<string, ReadonlyArray<string>>> = {
  vigil: [
    "vigil events list --sandbox",
    "vigil apps list --sandbox",
    "vigil doctor --sandbox",
    "vigil sandbox --port 8080",
  ],
  "vigil events": ["vigil events list --sandbox", "vigil events show D5VD-GHJ --sandbox"],
  "vigil events list": [
    "vigil events list --sandbox",
    "vigil events list --sandbox --type ServiceIssue --status Active --since 12h",
    `vigil events list --sandbox --service "Blob Storage" --output jsonl --limit 10`,
  ],
  "vigil events show": ["vigil events show D5VD-GHJ --sandbox", "vigil events show D5VD-GHJ --sandbox --output yaml"],
  "vigil events details": ["vigil events details KJHV-M8Z --sandbox"],
  "vigil events watch": [
    "vigil events watch --sandbox --every 10m",
    "vigil events watch --sandbox --once --lookback 12h --output jsonl",
  ],
  "vigil events sweep": [
    "vigil events sweep --sandbox",
    "vigil events sweep --sandbox --join --since 12h --output csv",
  ],
  "vigil events report": [
    "vigil events report --sandbox --out report.html",
    "vigil events report --sandbox --since 3d --out report.html",
  ],
  "vigil events timeline": ["vigil events timeline --sandbox", "vigil events timeline --sandbox --since 12h --events"],
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
  "vigil auth": ["vigil auth login --sandbox", "vigil auth status --sandbox"],
  "vigil auth login": ["vigil auth login --sandbox", "vigil auth login --service apps --token-stdin"],
  "vigil auth status": ["vigil auth status --sandbox", "vigil auth status --sandbox --output json"],
  "vigil auth logout": ["vigil auth logout", "vigil auth logout --service apps"],
  "vigil doctor": ["vigil doctor --sandbox", "vigil doctor --sandbox --output json"],
  "vigil trust": ["vigil trust", "vigil trust --remove"],
  "vigil sandbox": [
    "vigil sandbox --port 8080 --seed 7",
    "vigil sandbox --fault status-503",
    "vigil sandbox --fault list",
  ],
  "vigil completions": ["vigil completions bash", "vigil completions fish"],
}

/** Those of a command, by its path. */
export const of = (path: string): ReadonlyArray<string> => all[path] ?? []

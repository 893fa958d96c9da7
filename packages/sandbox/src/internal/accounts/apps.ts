/** The apps: those that are always there, one for each permission that the default user may have, and those of the seed. */
import type { App, Owner, Permission } from "./model.js"
import type * as dice from "../world/dice.js"
import { origins, someTime } from "./people.js"

type Members = ReadonlyArray<readonly [user: string, permission: Permission]>

const systems: readonly [readonly [string, string], ...ReadonlyArray<readonly [string, string]>] = [
  ["Android", "Java"],
  ["Android", "React-Native"],
  ["iOS", "Objective-C-Swift"],
  ["iOS", "Xamarin"],
  ["macOS", "Objective-C-Swift"],
  ["Windows", "UWP"],
]

/** Owner, name, name for people, members. */
const always: ReadonlyArray<readonly [Owner, string, string, Members]> = [
  [
    { type: "user", name: "ada" },
    "atlas",
    "Atlas",
    [
      ["ada", "manager"],
      ["grace", "developer"],
      ["jurgen", "viewer"],
      ["tom.tester", "tester"],
      ["ops-bot", "viewer"],
      ["yuki", "viewer"],
    ],
  ],
  [{ type: "org", name: "fleet" }, "dispatch", "Dispatch <beta>", [["Lin_Wu", "manager"]]],
  [
    { type: "org", name: "north.star" },
    "compass",
    "Compass & Chart",
    [
      ["ada", "developer"],
      ["zoe", "tester"],
    ],
  ],
  [
    { type: "user", name: "grace" },
    "night.watch",
    "Night's Watch",
    [
      ["grace", "manager"],
      ["ada", "viewer"],
    ],
  ],
  [
    { type: "user", name: "jurgen" },
    "pocket_map",
    "Tasche (für Karten)",
    [
      ["jurgen", "manager"],
      ["ada", "tester"],
    ],
  ],
  [{ type: "org", name: "black-box" }, "recorder", "Recorder", [["yuki", "manager"]]],
]

const seldom = ["beacon", "harbor", "lantern", "ledger", "meadow", "quarry", "signal", "tundra"]

/** The apps of the owners, in which the users (all but the owner) may be members. */
export const apps = (
  random: dice.Dice,
  owners: readonly [Owner, ...ReadonlyArray<Owner>],
  users: ReadonlyArray<string>,
): ReadonlyArray<App> => {
  const make = (owner: Owner, name: string, display_name: string, members: Members): Omit<App, "origin"> => {
    const [os, platform] = random.pick(systems)
    return {
      id: random.guid("a9900000"),
      owner,
      name,
      display_name,
      description: random.pick([null, "", `What ${display_name} does for its users.`]),
      os,
      platform,
      created_at: someTime(random),
      members: members.map(([user, permission]) => ({ user, permissions: [permission] })),
    }
  }
  const ofSeed = (name: string): Omit<App, "origin"> => {
    const owner = random.pick(owners)
    const own: Members = owner.type === "user" ? [[owner.name, "manager"]] : []
    const others = random
      .sample(users, random.between(0, 4))
      .filter((user) => owner.type === "org" || user !== owner.name)
      .map((user) => [user, random.pick<Permission>(["manager", "developer", "viewer", "tester"])] as const)
    return make(owner, name, name.toUpperCase(), [...own, ...others])
  }
  // Each in turn: another throw of the dice would change everything after it.
  return [...always.map((app) => make(...app)), ...random.sample(seldom, 6).map(ofSeed)].map((app, index) => ({
    ...app,
    origin: origins[index % origins.length] ?? "appcenter",
  }))
}

/** The apps: six that every seed has, one for each permission of the default user, and six of the seed. */
import type { App, Member, Owner, Permission } from "./model.js"
import type * as dice from "../world/dice.js"
import { origins, someTime } from "./people.js"

const systems: readonly [readonly [string, string], ...ReadonlyArray<readonly [string, string]>] = [
  ["Android", "Java"],
  ["Android", "React-Native"],
  ["iOS", "Objective-C-Swift"],
  ["iOS", "Xamarin"],
  ["macOS", "Objective-C-Swift"],
  ["Windows", "UWP"],
]

/** Owner, name, display name, and members with their permissions. */
const always: ReadonlyArray<
  readonly [type: Owner["type"], owner: string, name: string, display: string, members: string]
> = [
  [
    "user",
    "ada",
    "atlas",
    "Atlas",
    "ada manager, grace developer, jurgen viewer, tom.tester tester, ops-bot viewer, yuki viewer",
  ],
  ["org", "fleet", "dispatch", "Dispatch <beta>", "Lin_Wu manager"],
  ["org", "north.star", "compass", "Compass & Chart", "ada developer, zoe tester"],
  ["user", "grace", "night.watch", "Night's Watch", "grace manager, ada viewer"],
  ["user", "jurgen", "pocket_map", "Tasche (für Karten)", "jurgen manager, ada tester"],
  ["org", "black-box", "recorder", "Recorder", "yuki manager"],
]

const permissions = ["manager", "developer", "viewer", "tester"] as const satisfies ReadonlyArray<Permission>

const member = (user: string, permission: Permission): Member => ({ user, permissions: [permission] })

/** Reads `<user> <permission>`. */
const readMember = (text: string): Member => {
  const [user = "", name] = text.split(" ")
  return { user, permissions: permissions.filter((permission) => permission === name) }
}

const seldom = ["beacon", "harbor", "lantern", "ledger", "meadow", "quarry", "signal", "tundra"]

/** The apps of the owners, in which the users (all but the owner) may be members. */
export const apps = (
  random: dice.Dice,
  owners: readonly [Owner, ...ReadonlyArray<Owner>],
  users: ReadonlyArray<string>,
): ReadonlyArray<App> => {
  const make = (
    owner: Owner,
    name: string,
    display_name: string,
    members: ReadonlyArray<Member>,
  ): Omit<App, "origin"> => {
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
      members,
    }
  }
  const ofEverySeed = ([type, owner, name, display, members]: (typeof always)[number]) =>
    make({ type, name: owner }, name, display, members.split(", ").map(readMember))
  const ofSeed = (name: string): Omit<App, "origin"> => {
    const owner = random.pick(owners)
    const own = owner.type === "user" ? [member(owner.name, "manager")] : []
    const others = random
      .sample(users, random.between(0, 4))
      .filter((user) => owner.type === "org" || user !== owner.name)
      .map((user) => member(user, random.pick(permissions)))
    return make(owner, name, name.toUpperCase(), [...own, ...others])
  }
  // Each in turn: another throw of the dice would change everything after it.
  return [...always.map(ofEverySeed), ...random.sample(seldom, 6).map(ofSeed)].map((app, index) => ({
    ...app,
    origin: origins[index % origins.length] ?? "appcenter",
  }))
}

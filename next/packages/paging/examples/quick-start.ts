import { Page, Paging } from "@vigil/paging"
import { Console, Effect, Stream } from "effect"

const planets = ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]

// Stands in for a service whose cursor is an offset.
const fetchPage = (offset: number) => {
  const items = planets.slice(offset, offset + 3)
  return Effect.succeed(offset + 3 < planets.length ? Page.withNext(items, offset + 3) : Page.last(items))
}

const program = Stream.runForEach(Paging.items({ first: 0, next: fetchPage }), (planet) => Console.log(planet))

await Effect.runPromise(program)

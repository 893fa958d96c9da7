import { Paging } from "@vigil/paging"
import { Console, Effect, Stream } from "effect"

const planets = ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]

// Stands in for a service whose cursor is an offset.
const fetchPage = (offset: number) =>
  Effect.succeed({
    items: planets.slice(offset, offset + 3),
    next: offset + 3 < planets.length ? offset + 3 : undefined,
  })

const program = Stream.runForEach(Paging.items({ first: 0, fetch: fetchPage }), (planet) => Console.log(planet))

await Effect.runPromise(program)

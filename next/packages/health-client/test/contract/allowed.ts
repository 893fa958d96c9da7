/** The known deviations from the contract of the public service, and the reason for each. Any other deviation fails a test. */
export const allowed: Readonly<Record<string, string>> = {
  "undeclared parameter $skipToken":
    "The next link contains it (document, Paging). The contract declares only that the list is pageable.",
  "next page by GET": "Links are followed by GET, also those of lists by POST. The official client does the same.",
  "another api-version": "The document has a second version, and `ApiVersion.other` sends any.",
  "nested error": "The gateway in front of the service nests its errors (field notes, Errors).",
  "undeclared field location": "Defined by the document in version 2025-05-01.",
  "null properties.header":
    "The sandbox has null for some absent texts, as services do (field notes, Payload oddities).",
  "null properties.level":
    "The sandbox has null for some absent levels, as services do (field notes, Payload oddities).",
  "date-time without a zone": "Seen in public, as in `0001-01-01T00:00:00` (field notes, Payload oddities).",
  "empty date-time": "Empty texts in place of absent dates were seen in public (field notes, Payload oddities).",
}

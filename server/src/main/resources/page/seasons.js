/** Seasons in words. */

const DAY = 86_400_000;

/** Its days, or its hours if it is shorter than a day. */
export function seasonName({ startTime, endTime, label }, language) {
  if (!startTime || !endTime) {
    return label;
  }
  const start = new Date(startTime);
  // The end is not part of it: a day ends at its last moment, not at the next midnight.
  const end = new Date(Date.parse(endTime) - 1);
  const style = end - start < DAY - 1 ? { dateStyle: "medium", timeStyle: "short" } : { dateStyle: "medium" };
  return new Intl.DateTimeFormat(language, style).formatRange(start, end);
}

/** How long it still runs, or since when it is over; nothing for one that has no end. */
export function countdown({ status, startsAt, endsAt }, now, language) {
  const end = Date.parse(endsAt ?? "");
  if (status === "SCHEDULED") {
    return startsAt ? `Begins ${moment(startsAt, language)}` : "Not begun yet";
  }
  if (Number.isNaN(end)) {
    return status === "ACTIVE" ? "" : "Final result";
  }
  if (status !== "ACTIVE" || end <= now) {
    return `Final result, ended ${moment(endsAt, language)}`;
  }
  return `Ends in ${span(end - now)}`;
}

function moment(time, language) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}

/** The two largest units: nobody counts the seconds of a week. */
function span(millis) {
  const seconds = Math.ceil(millis / 1000);
  const units = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const first = units.findIndex(([count]) => count > 0);
  return units
    .slice(first, first + 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

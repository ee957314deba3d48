/// libical for Swift, with `ci_…` functions for arrays in structures, which are tuples in Swift.
#ifndef CICAL_H
#define CICAL_H
#include <libical/ical.h>

/// Lets functions return an error for an invalid file, where they could end the process. Global.
static inline void ci_prepare(void) { icalerror_set_errors_are_fatal(0); }

/// How many values a list of a rule has, at least 1.
static inline int ci_count(const short *_Nonnull list, int limit) {
  int count = 0;
  while (count < limit && list[count] != ICAL_RECURRENCE_ARRAY_MAX) count++;
  return count > 0 ? count : 1;
}

/// How many times of day a rule names for each of its days, hours or minutes.
static inline int ci_times(const struct icalrecurrencetype *_Nonnull rule) {
  int count = 1;
  if (rule->freq > ICAL_SECONDLY_RECURRENCE) count *= ci_count(rule->by_second, ICAL_BY_SECOND_SIZE);
  if (rule->freq > ICAL_MINUTELY_RECURRENCE) count *= ci_count(rule->by_minute, ICAL_BY_MINUTE_SIZE);
  if (rule->freq > ICAL_HOURLY_RECURRENCE) count *= ci_count(rule->by_hour, ICAL_BY_HOUR_SIZE);
  return count;
}

/// How many weekdays a rule names, at least 1.
static inline int ci_weekdays(const struct icalrecurrencetype *_Nonnull rule) {
  return ci_count(rule->by_day, ICAL_BY_DAY_SIZE);
}

/// Whether one of the weekdays of a rule has a number, as in 2MO.
static inline int ci_has_numbered_weekday(const struct icalrecurrencetype *_Nonnull rule) {
  for (int index = 0; index < ICAL_BY_DAY_SIZE; index++) {
    if (rule->by_day[index] == ICAL_RECURRENCE_ARRAY_MAX) break;
    if (icalrecurrencetype_day_position(rule->by_day[index]) != 0) return 1;
  }
  return 0;
}

#endif

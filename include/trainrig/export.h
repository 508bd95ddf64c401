/* SPDX-License-Identifier: GPL-3.0-or-later
 * Symbol visibility and portable attributes of the public interface. */
#ifndef RIG_EXPORT_H
#define RIG_EXPORT_H

#if defined(RIG_BUILDING_SHARED) && defined(__GNUC__)
#define RIG_API __attribute__((visibility("default")))
#else
#define RIG_API
#endif

#if defined(__GNUC__)
#define RIG_NODISCARD __attribute__((warn_unused_result))
#define RIG_PRINTF(format_index, first_index)                                                      \
    __attribute__((format(printf, format_index, first_index)))
#else
#define RIG_NODISCARD
#define RIG_PRINTF(format_index, first_index)
#endif

#endif

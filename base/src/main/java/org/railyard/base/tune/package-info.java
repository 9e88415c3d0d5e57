/** What is known of a tunable, in one record: name, default, range, unit, help. */
@NullMarked
package org.railyard.base.tune;

import org.jspecify.annotations.NullMarked;

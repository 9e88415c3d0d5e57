/** Tests of counters. */
@NullMarked
package org.railyard.lnet.stats;

import org.jspecify.annotations.NullMarked;

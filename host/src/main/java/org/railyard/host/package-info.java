/** The real machine under a node: system clock, random numbers, worker threads. */
@NullMarked
package org.railyard.host;

import org.jspecify.annotations.NullMarked;

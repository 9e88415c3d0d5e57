/** The real machine under a node: system clock, random numbers, worker threads. Next room: {@code org.railyard.lnet.host}, the interfaces. */
@NullMarked
package org.railyard.host;

import org.jspecify.annotations.NullMarked;

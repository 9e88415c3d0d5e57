/** The daemon as a process of its own, as an administrator runs it: killed, watched, controlled. */
@NullMarked
package org.railyard.itest.daemon;

import org.jspecify.annotations.NullMarked;

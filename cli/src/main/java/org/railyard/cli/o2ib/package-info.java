/** {@code railyard o2ib}: what the settings of the InfiniBand transport lead to. Reads nothing but its command line. Next room: {@code org.railyard.cli}. */
@NullMarked
package org.railyard.cli.o2ib;

import org.jspecify.annotations.NullMarked;

/** {@code railyard lab}: whole clusters in virtual time, from the command line. May touch {@code org.railyard.lab}. Next room: {@code org.railyard.cli}. */
@NullMarked
package org.railyard.cli.lab;

import org.jspecify.annotations.NullMarked;

/** {@code railyard lab}: whole clusters in virtual time, from the command line. May touch {@code org.railyard.lab}. */
@NullMarked
package org.railyard.cli.lab;

import org.jspecify.annotations.NullMarked;

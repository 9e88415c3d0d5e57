/** {@code railyard sm}: the subnet manager on simulated agents or on a port of this machine, and its dry run. */
@NullMarked
package org.railyard.cli.sm;

import org.jspecify.annotations.NullMarked;

/** The command that runs a node as a service. Next room: {@code org.railyard.node}. */
@NullMarked
package org.railyard.cli.lnetd;

import org.jspecify.annotations.NullMarked;

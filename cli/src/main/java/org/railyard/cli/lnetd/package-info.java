/** The command that runs a node as a service. */
@NullMarked
package org.railyard.cli.lnetd;

import org.jspecify.annotations.NullMarked;

/** The command line of the console. */
@NullMarked
package org.railyard.cli.console;

import org.jspecify.annotations.NullMarked;

/** The console: pages in a browser about nodes, fabrics and runs of the lab; reads only. */
@NullMarked
package org.railyard.console;

import org.jspecify.annotations.NullMarked;

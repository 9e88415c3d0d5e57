/** The console: pages in a browser about nodes and fabrics; reads only. */
@NullMarked
package org.railyard.console;

import org.jspecify.annotations.NullMarked;

/** Virtual time: time lines, and loops whose tasks are events of them. */
@NullMarked
package org.railyard.softverbs.time;

import org.jspecify.annotations.NullMarked;

/** Calls into the C libraries: functions, layouts, memory by address. Nothing else of the module knows them. */
@NullMarked
package org.railyard.ibverbs.ffi;

import org.jspecify.annotations.NullMarked;

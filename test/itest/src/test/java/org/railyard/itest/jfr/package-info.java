/** What real nodes do, as JDK Flight Recorder has it. */
@NullMarked
package org.railyard.itest.jfr;

import org.jspecify.annotations.NullMarked;

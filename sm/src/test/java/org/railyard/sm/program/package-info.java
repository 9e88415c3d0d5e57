@NullMarked
package org.railyard.sm.program;

import org.jspecify.annotations.NullMarked;

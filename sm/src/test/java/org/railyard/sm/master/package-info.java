@NullMarked
package org.railyard.sm.master;

import org.jspecify.annotations.NullMarked;

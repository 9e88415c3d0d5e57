@NullMarked
package org.railyard.control.node;

import org.jspecify.annotations.NullMarked;

@NullMarked
package org.railyard.dlc.node;

import org.jspecify.annotations.NullMarked;

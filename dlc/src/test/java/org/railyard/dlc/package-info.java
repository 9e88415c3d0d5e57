/** Tests of configuration in YAML. */
@NullMarked
package org.railyard.dlc;

import org.jspecify.annotations.NullMarked;

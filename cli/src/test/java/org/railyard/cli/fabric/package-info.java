/** Tests of this package. */
@NullMarked
package org.railyard.cli.fabric;

import org.jspecify.annotations.NullMarked;

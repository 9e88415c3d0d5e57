/** Tests of the configuration tool. */
@NullMarked
package org.railyard.cli.lnetctl;

import org.jspecify.annotations.NullMarked;

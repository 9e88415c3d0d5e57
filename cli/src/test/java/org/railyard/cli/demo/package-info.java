/** Tests of the demo. */
@NullMarked
package org.railyard.cli.demo;

import org.jspecify.annotations.NullMarked;

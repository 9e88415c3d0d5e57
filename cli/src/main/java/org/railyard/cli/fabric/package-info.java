/** The commands about InfiniBand fabrics: they open files and print; what they know is in the module fabric. */
@NullMarked
package org.railyard.cli.fabric;

import org.jspecify.annotations.NullMarked;

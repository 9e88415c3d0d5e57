/** Tests of configuration in YAML. */
@NullMarked
package org.railyard.config;

import org.jspecify.annotations.NullMarked;

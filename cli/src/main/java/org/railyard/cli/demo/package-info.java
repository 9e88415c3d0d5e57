/**
 * {@code railyard demo}: two nodes with two rails each on loopback, traffic, a rail that loses its link or goes silent
 * and comes back.
 */
@NullMarked
package org.railyard.cli.demo;

import org.jspecify.annotations.NullMarked;

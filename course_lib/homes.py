"""Which file has which name: Note [Later].

Written by tools/write_homes.py; run that again instead of editing this.
"""

METHODS = {
    "beyond.ops.counting": "histc mode",
    "beyond.ops.histogram": "histogram",
    "beyond.ops.old_decompositions": "qr svd",
    "beyond.ops.quantiles": "nanquantile quantile",
    "beyond.ops.resize": "resize_ resize_as_ set_",
    "beyond.ops.scatter_reduce": "index_reduce index_reduce_ scatter_reduce scatter_reduce_",
    "beyond.ops.slice_scatter": "as_strided_scatter diagonal_scatter select_scatter slice_scatter",
    "beyond.ops.special": "digamma digamma_ erfinv erfinv_ i0 i0_ lgamma lgamma_ logit logit_ polygamma polygamma_ sinc sinc_",
    "beyond.ops.triangles": "diag diag_embed diagflat fill_diagonal_ tril tril_ triu triu_",
    "beyond.ops.view_copies": "narrow_copy",
    "ops.bridge.dtype_queries": "get_device is_complex is_conj is_floating_point is_neg is_signed",
    "ops.bridge.numbers": "__bool__ __complex__ __contains__ __float__ __index__ __int__ __iter__ __len__ __reversed__ is_nonzero item tolist",
    "ops.bridge.numpy_bridge": "__array__ __array_wrap__ __dlpack__ __dlpack_device__ numpy",
    "ops.bridge.pickling": "__copy__ __deepcopy__ __reduce_ex__",
    "ops.bridge.storage": "_is_view data_ptr dim element_size is_same_size is_set_to is_shared ndimension nelement numel size storage storage_offset stride untyped_storage",
    "ops.bridge.text": "__format__ __repr__",
    "ops.elementwise.activations": "hardshrink prelu relu relu_ sigmoid sigmoid_",
    "ops.elementwise.arithmetic": "__add__ __floordiv__ __iadd__ __ifloordiv__ __imod__ __imul__ __isub__ __itruediv__ __mod__ __mul__ __neg__ __pos__ __radd__ __rdiv__ __rfloordiv__ __rmod__ __rmul__ __rsub__ __rtruediv__ __sub__ __truediv__ add add_ div div_ divide divide_ floor_divide floor_divide_ fmod fmod_ mul mul_ multiply multiply_ neg neg_ negative negative_ positive reciprocal reciprocal_ remainder remainder_ sub sub_ subtract subtract_ true_divide true_divide_",
    "ops.elementwise.clamp": "clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ fmax fmin maximum minimum",
    "ops.elementwise.compare": "__eq__ __ge__ __gt__ __hash__ __ieq__ __ige__ __igt__ __ile__ __ilt__ __ine__ __le__ __lt__ __ne__ allclose eq eq_ equal ge ge_ greater greater_ greater_equal greater_equal_ gt gt_ isclose isfinite isinf isnan isneginf isposinf isreal le le_ less less_ less_equal less_equal_ lt lt_ ne ne_ not_equal not_equal_ signbit",
    "ops.elementwise.erf": "erf erf_ erfc erfc_",
    "ops.elementwise.exponentials": "exp exp2 exp2_ exp_ expm1 expm1_ log log10 log10_ log1p log1p_ log2 log2_ log_ logaddexp logaddexp2 xlogy xlogy_",
    "ops.elementwise.integers": "frexp gcd gcd_ heaviside heaviside_ lcm lcm_ ldexp ldexp_ nextafter nextafter_",
    "ops.elementwise.lerp": "addcdiv addcdiv_ addcmul addcmul_ lerp lerp_",
    "ops.elementwise.logic": "__and__ __iand__ __ilshift__ __invert__ __ior__ __irshift__ __ixor__ __lshift__ __or__ __rand__ __rlshift__ __ror__ __rrshift__ __rshift__ __rxor__ __xor__ bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ logical_and logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor logical_xor_",
    "ops.elementwise.powers": "__ipow__ __pow__ __rpow__ float_power float_power_ pow pow_ rsqrt rsqrt_ sqrt sqrt_ square square_",
    "ops.elementwise.rounding": "__abs__ abs abs_ absolute absolute_ angle ceil ceil_ conj conj_physical conj_physical_ copysign copysign_ fix fix_ floor floor_ frac frac_ nan_to_num nan_to_num_ resolve_conj resolve_neg round round_ sgn sgn_ sign sign_ trunc trunc_",
    "ops.elementwise.trigonometry": "acos acos_ acosh acosh_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ arctanh arctanh_ asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ cos cos_ cosh cosh_ deg2rad deg2rad_ hypot hypot_ rad2deg rad2deg_ sin sin_ sinh sinh_ tan tan_ tanh tanh_",
    "ops.layers.softmax": "log_softmax softmax",
    "ops.linalg.addmm": "addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_",
    "ops.linalg.determinants": "det logdet slogdet",
    "ops.linalg.distances": "dist",
    "ops.linalg.matmul": "__matmul__ __rmatmul__ bmm dot matmul mm mv vdot",
    "ops.linalg.norms": "norm",
    "ops.linalg.products": "cross ger inner kron outer trace",
    "ops.linalg.pseudoinverse": "pinverse",
    "ops.linalg.solve": "inverse matrix_power",
    "ops.make.clone": "clone",
    "ops.make.convert": "bfloat16 bool byte cdouble cfloat char cpu cuda double float half int long short to type type_as",
    "ops.make.distributions": "bernoulli multinomial",
    "ops.make.fill": "copy_ fill_ zero_",
    "ops.make.legacy": "_legacy_new new",
    "ops.make.like": "new_empty new_empty_strided new_full new_ones new_tensor new_zeros",
    "ops.make.random_in_place": "bernoulli_ cauchy_ exponential_ geometric_ log_normal_ normal_ random_ uniform_",
    "ops.pick.gather_scatter": "gather scatter scatter_ scatter_add scatter_add_",
    "ops.pick.index_put": "index_put index_put_",
    "ops.pick.index_select": "index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_select put put_ take take_along_dim",
    "ops.pick.indexing": "__delitem__ __getitem__ __setitem__",
    "ops.pick.masking": "argwhere masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select nonzero where",
    "ops.pick.slices": "diagonal narrow select",
    "ops.pick.sort": "argsort msort sort topk unique unique_consecutive",
    "ops.reduce.counting": "bincount count_nonzero",
    "ops.reduce.cumulative": "cummax cummin cumprod cumprod_ cumsum cumsum_ diff logcumsumexp",
    "ops.reduce.extremes": "amax amin aminmax argmax argmin kthvalue max median min nanmedian",
    "ops.reduce.statistics": "std var",
    "ops.reduce.sums": "all any logsumexp mean nanmean nansum prod sum sum_to_size",
    "ops.shape.expand": "broadcast_to expand expand_as",
    "ops.shape.rearrange": "flip fliplr flipud repeat repeat_interleave roll rot90 tile",
    "ops.shape.reshape": "contiguous flatten is_contiguous ravel reshape reshape_as unflatten view view_as",
    "ops.shape.split": "chunk dsplit hsplit split split_with_sizes tensor_split unbind unsafe_chunk unsafe_split vsplit",
    "ops.shape.squeeze": "squeeze squeeze_ unsqueeze unsqueeze_",
    "ops.shape.strided": "as_strided as_strided_ unfold",
    "ops.shape.transpose": "adjoint moveaxis movedim permute swapaxes swapaxes_ swapdims swapdims_ t t_ transpose transpose_",
}

PROPERTIES = {
    "ops.bridge.dtype_queries": "is_cpu is_cuda is_meta is_mkldnn is_mps is_quantized is_sparse is_xpu layout name",
    "ops.bridge.storage": "_base itemsize nbytes ndim",
    "ops.shape.complex_views": "imag real",
    "ops.shape.transpose": "H T mH mT",
}

FUNCTIONS = {
    "beyond.determinism": "are_deterministic_algorithms_enabled get_deterministic_debug_mode get_num_interop_threads get_num_threads is_deterministic_algorithms_warn_only_enabled set_deterministic_debug_mode set_num_interop_threads set_num_threads use_deterministic_algorithms",
    "beyond.ops.bilinear": "bilinear",
    "beyond.ops.buffers": "frombuffer",
    "beyond.ops.complex_numbers": "complex polar",
    "beyond.ops.counting": "histc isin mode",
    "beyond.ops.einsum": "einsum",
    "beyond.ops.grids": "cartesian_prod combinations meshgrid",
    "beyond.ops.histogram": "histogram",
    "beyond.ops.old_decompositions": "qr svd",
    "beyond.ops.pixel_shuffle": "channel_shuffle pixel_shuffle pixel_unshuffle",
    "beyond.ops.quantiles": "nanquantile quantile",
    "beyond.ops.resize": "resize_as_",
    "beyond.ops.scatter_reduce": "index_reduce scatter_reduce",
    "beyond.ops.search": "bucketize searchsorted",
    "beyond.ops.slice_scatter": "as_strided_scatter diagonal_scatter select_scatter slice_scatter",
    "beyond.ops.special": "digamma erfinv i0 lgamma logit polygamma sinc",
    "beyond.ops.triangles": "diag diag_embed diagflat tril tril_indices triu triu_indices",
    "beyond.ops.view_copies": "alias_copy as_strided_copy detach_copy diagonal_copy expand_copy narrow_copy permute_copy select_copy slice_copy squeeze_copy t_copy transpose_copy unfold_copy unsqueeze_copy view_as_complex_copy view_as_real_copy view_copy",
    "beyond.ops.weight_norm": "norm_except_dim",
    "beyond.vmap": "vmap",
    "dtypes.limits": "finfo iinfo",
    "ops.bridge.dtype_queries": "can_cast get_default_dtype is_complex is_conj is_floating_point is_neg is_signed is_tensor promote_types result_type set_default_dtype typename",
    "ops.bridge.numbers": "is_nonzero",
    "ops.bridge.numpy_bridge": "from_dlpack to_dlpack",
    "ops.bridge.storage": "TypedStorage UntypedStorage is_storage numel",
    "ops.elementwise.activations": "celu hardshrink prelu relu relu_ selu sigmoid sigmoid_ threshold",
    "ops.elementwise.activations_inplace": "celu_ rrelu rrelu_ selu_ threshold_",
    "ops.elementwise.arithmetic": "add div divide floor_divide fmod mul multiply neg negative positive reciprocal remainder rsub sub subtract true_divide",
    "ops.elementwise.clamp": "clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ fmax fmin maximum minimum",
    "ops.elementwise.compare": "allclose eq equal ge greater greater_equal gt isclose isfinite isinf isnan isneginf isposinf isreal le less less_equal lt ne not_equal signbit",
    "ops.elementwise.erf": "erf erfc",
    "ops.elementwise.exponentials": "exp exp2 expm1 log log10 log1p log2 logaddexp logaddexp2 xlogy",
    "ops.elementwise.integers": "frexp gcd heaviside lcm ldexp nextafter",
    "ops.elementwise.lerp": "addcdiv addcmul lerp",
    "ops.elementwise.logic": "bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor logical_and logical_not logical_or logical_xor",
    "ops.elementwise.powers": "float_power pow rsqrt sqrt square",
    "ops.elementwise.rounding": "abs absolute angle ceil conj conj_physical copysign fix floor frac nan_to_num resolve_conj resolve_neg round sgn sign trunc",
    "ops.elementwise.trigonometry": "acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh cos cosh deg2rad hypot rad2deg sin sinh tan tanh",
    "ops.layers.adaptive_pooling": "adaptive_avg_pool1d adaptive_max_pool1d",
    "ops.layers.conv": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d",
    "ops.layers.padding": "constant_pad_nd",
    "ops.layers.pooling": "avg_pool1d",
    "ops.layers.similarity": "cosine_similarity pairwise_distance pdist",
    "ops.layers.softmax": "log_softmax softmax",
    "ops.linalg.addmm": "addbmm addmm addmv addr baddbmm",
    "ops.linalg.determinants": "det logdet slogdet",
    "ops.linalg.distances": "cdist dist",
    "ops.linalg.matmul": "bmm dot matmul mm mv vdot",
    "ops.linalg.norms": "norm",
    "ops.linalg.products": "chain_matmul cross ger inner kron outer tensordot trace",
    "ops.linalg.pseudoinverse": "pinverse",
    "ops.linalg.solve": "inverse matrix_power",
    "ops.make.clone": "clone",
    "ops.make.creation": "empty empty_permuted empty_strided eye full ones scalar_tensor zeros",
    "ops.make.distributions": "bernoulli multinomial normal poisson",
    "ops.make.fill": "fill fill_ zero_",
    "ops.make.generator": "Generator default_generator get_rng_state initial_seed manual_seed seed set_rng_state",
    "ops.make.legacy": "BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor set_default_tensor_type",
    "ops.make.like": "empty_like full_like ones_like zeros_like",
    "ops.make.random": "rand rand_like randint randint_like randn randn_like randperm",
    "ops.make.ranges": "arange linspace logspace range",
    "ops.make.tensor": "as_tensor asarray detach from_numpy tensor",
    "ops.pick.gather_scatter": "gather scatter scatter_add",
    "ops.pick.index_put": "index_put index_put_",
    "ops.pick.index_select": "index_add index_copy index_fill index_select put take take_along_dim",
    "ops.pick.masking": "argwhere masked_fill masked_scatter masked_select nonzero where",
    "ops.pick.slices": "diagonal narrow select",
    "ops.pick.sort": "argsort msort sort topk unique unique_consecutive",
    "ops.reduce.counting": "bincount count_nonzero",
    "ops.reduce.cumulative": "cummax cummin cumprod cumsum diff logcumsumexp",
    "ops.reduce.extremes": "amax amin aminmax argmax argmin kthvalue max median min nanmedian",
    "ops.reduce.statistics": "std std_mean var var_mean",
    "ops.reduce.sums": "all any logsumexp mean nanmean nansum prod sum",
    "ops.shape.complex_views": "imag real view_as_complex view_as_real",
    "ops.shape.expand": "broadcast_shapes broadcast_tensors broadcast_to",
    "ops.shape.join": "atleast_1d atleast_2d atleast_3d block_diag cat column_stack concat concatenate dstack hstack row_stack stack vstack",
    "ops.shape.rearrange": "flip fliplr flipud repeat_interleave roll rot90 tile",
    "ops.shape.reshape": "channels_last channels_last_3d contiguous_format flatten memory_format preserve_format ravel reshape unflatten",
    "ops.shape.split": "chunk dsplit hsplit split split_with_sizes tensor_split unbind unsafe_chunk unsafe_split vsplit",
    "ops.shape.squeeze": "squeeze unsqueeze",
    "ops.shape.strided": "as_strided",
    "ops.shape.transpose": "adjoint moveaxis movedim permute swapaxes swapdims t transpose",
    "serialization": "load save",
    "words.errors.writing": "is_warn_always_enabled set_warn_always",
    "words.formatting": "set_printoptions",
}

SENTENCES = {
    "words.errors.adaptive": "check_adaptive check_adaptive_max check_adaptive_series check_enough_dims check_gradient_size check_not_empty check_output_size check_unpool one_output_size unpooled_count unpooled_negative unpooled_size",
    "words.errors.arguments": "HEAP_TYPE OWN_TYPES argument_type data_must_be_tensor deprecated_overload dim_type element_no_tensor grad_must_be_tensor grad_of_other_dtype grad_of_other_size grad_on_other_device kind_of lacks_arguments list_of marked missing_argument no_attribute no_module_attribute no_signature_fits no_tensor_to_call not_unpacked not_writable other_count other_type takes_nothing too_many_arguments unexpected_argument unfit_keyword unknown_names with_elements words_of",
    "words.errors.bags": "BAG_MODE BAG_OFFSETS BAG_ORDER bag_dims bag_max bag_offsets_given bag_shares bag_shares_mode bag_table check_bag check_bilinear",
    "words.errors.batching": "CHUNK_SIZE JVP_EMPTY JVP_INPUT JVP_STRICT JVP_TUPLE NOTHING_MAPPED RANDOMNESS STACK_CLASSES STACK_EMPTY STACK_GRAD STACK_MODES VMAP_BACKWARD VMAP_RANDOM VMAP_READ VMAP_WRITE in_dim_kind in_dim_of_other in_dim_range in_dims_structure in_dims_type jvp_structure no_inputs only_tensors out_dims_structure out_dims_type output_batched output_type tangent_size",
    "words.errors.buffers": "OTHER_SLOTS QR_DEPRECATED READ_ONLY_BUFFER SWAPPED check_buffer check_edges check_histogram check_limits check_svd held opened weakly_held",
    "words.errors.chances": "CARTESIAN CROSS_FAMILIES DEPENDENT INHOMOGENEOUS KL_EVENT_SHAPES LOC_RANK NOT_STATIC NUMBERS_OR_TENSORS ONE_MATRIX PROBS_OR_LOGITS SAMPLE_N VALUE_NO_TENSOR ambiguous_kl event_size invalid_parameter least_dims matrix_rank_least no_arg_constraints no_kl no_mode no_sample_gradient no_support outside_support own_init parameter_rank pytorchs_name too_many_event_dims value_shape",
    "words.errors.creation": "ALIAS_SEQUENCE ARRAYS_IN_LIST ASARRAY_TRACKED BYTE_ORDER DEFAULT_COMPLEX LONG_OVERFLOW NEGATIVE_STEPS NEGATIVE_STRIDES NOT_WRITABLE ODD_STRIDES PIN_MEMORY PRESERVE_UNSUPPORTED RANGE_DEPRECATED STEP_SIGN STEP_ZERO TOO_LONG alias_device alias_dtype check_physical_layout complex_mixed complex_parts copy_construct could_not_infer expected_array invalid_data negative_count negative_dimension negative_size_of not_a_sequence one_argument out_device out_dtype ragged steps_complex steps_ends strides_rank too_large too_large_strided too_many_dimensions unsupported_range value_overflow",
    "words.errors.ctc": "CHECKING check_ctc check_not_negative",
    "words.errors.elementwise": "ABS_IN_PLACE ADDCDIV_OF_INTEGERS BOTH_BOOL CLAMP_COMPLEX CLAMP_WITHOUT_BOUNDS DEGREES_COMPLEX FMAX_COMPLEX FMIN_COMPLEX FREXP INVERT_TYPE ISNEGINF_COMPLEX ISPOSINF_COMPLEX MAXIMUM_COMPLEX MINIMUM_COMPLEX NEGATION_OF_BOOL NEGATIVE_POWER NO_COMPLEX_SIGN NO_DOUBLE ONE_BOOL POLYGAMMA_ORDER POSITIVE_BOOL RADIANS_COMPLEX RELU_BOOL SIGNBIT_COMPLEX WORDS check_addcdiv check_addcmul check_alpha check_clamp check_clamp_in_place check_clamp_tensors check_divisor check_heaviside check_ldexp check_lerp check_negation check_relu check_rounding_mode check_subtraction clamp_arguments common compared_dtypes float_power_in_place negative_tolerance no_derivative no_kernel no_rounding not_a_tensor pow_arguments unless",
    "words.errors.export": "DEEPCOPY_OF_RESULT DLPACK_CAPSULE DLPACK_STREAM DLPACK_STREAM_TYPE DLPACK_TRACKED INDEX ITERATE_SCALAR LEN_OF_SCALAR META_COPY META_ITEM NUMPY_OF_META NUMPY_OF_TRACKED ONE_ELEMENT SCALAR_OF_TRACKED ambiguous_truth contains dlpack_device dlpack_pack flag_not_bool not_one_element numpy_of python_overflow",
    "words.errors.files": "ARGUMENTS_IGNORED BAD_MAGIC DAMAGED MAP_TO_CPU MMAP_OF_OBJECT NOT_A_FILE NOT_RESIZABLE NO_CHECKPOINT NO_VERSION NUMEL_OVERFLOW PAGE SHORT_LEGACY TWO_DTYPES UNSAFE UNSAFE_MODULE bad_protocol blocked_global broken_archive broken_record class_of_pytorch foreign_pickler hook_not_saved missing_record negative_offset newer_version no_bytes no_list no_mapping no_parent no_persistent_id no_storage no_storage_id not_in_folder not_opened not_saved_data not_seekable other_protocol record_size safe_name safe_pair torchscript unequal_ranks unknown_build unknown_byte_order unknown_call unknown_class unreadable_version unrestorable unsafe_global unsupported_opcode weights_only",
    "words.errors.functional": "CHECKPOINT_CONTEXT CHECKPOINT_NOTHING CHECKPOINT_NO_GRAD CHECKPOINT_REENTRANT CHECKPOINT_SEQUENTIAL_REENTRANT FORWARD_STRATEGY FORWARD_UNVECTORIZED GRADCHECK_BATCHED GRADCHECK_BATCHED_FORWARD GRADCHECK_DTYPE GRADCHECK_MUL GRADCHECK_NOTHING GRADCHECK_NO_INPUT GRADCHECK_SIZE GRADCHECK_UNDEFINED GRADCHECK_UNDEFINED_GRADS GRADCHECK_UNDEFINED_NEW GRADCHECK_ZERO GRADIENT_STAGES JVP_WITHOUT_V ONE_TENSOR_OF_ONE OUTER_STRATEGY STRICT STRICT_VECTORIZED UNTRACKED V_ALONE func_input_type func_output_shape func_output_type gradcheck_moved gradcheck_nondeterministic gradcheck_overlap gradcheck_precision independent_graph independent_output jacobian_mismatch not_tensors single_element single_tensor vector_count vector_size",
    "words.errors.gathering": "INDEX_FILL_COMPLEX INDEX_FILL_FORMS INTEGERS PATCH_STEP PROD_TWO_ZEROS PUT_INTO_NOTHING REDUCTIONS SCATTER_FORMS SCATTER_REDUCE SCATTER_SRC_REDUCE TAKE_FROM_NOTHING check_along check_broadcast_shapes check_columns check_copy_range check_dim check_fill_range check_flat check_gather check_index_add check_index_copy check_index_fill check_index_reduce check_index_select check_put check_scatter check_scatter_add check_scatter_reduce check_select_range check_take check_take_along index_fill_arguments index_fill_value is_tensor must_be_tensor named not_implemented outside patch_shape raise_no_derivative scatter_arguments shape_of take_along_argument take_along_dims without word",
    "words.errors.gradients": "AMBIGUOUS ANOMALY_SLOW BACKWARD_MISSING BACKWARD_TWICE CREATE_GRAPH_CYCLE DATA_INTEGER_REQUIRES_GRAD DECORATED_CLASS DELETE_GRAD_FN DELETE_HOOKS DETACHED_SAVED DETACH_VIEW DIRTY_VIEW EDGE_WITHOUT_GRAD EMPTY_GRAD_INPUTS EMPTY_INPUTS FORWARD_MISSING FUNCTION_CALLED GRADIENT_KIND GRAD_FN_NOT_NONE GRAD_IS_SELF GRAD_TENSORS_TWICE GRAD_VARIABLES HOOK_WITHOUT_GRAD INCOMPATIBLE_DATA INFERENCE_INPLACE INFERENCE_REQUIRES_GRAD INFERENCE_SAVED INFERENCE_VERSION INPUT_WITHOUT_GRAD LEAF_INPLACE LEAF_MARKED_DIRTY LEAF_MOVED MATERIALIZE_EDGE MATERIALIZE_NEEDS_UNUSED NON_LEAF_GRAD NOT_SCALAR ONCE_DIFFERENTIABLE ONLY_FLOATING_ATTRIBUTE ONLY_FLOATING_FACTORY ONLY_FLOATING_METHOD ONLY_INPUTS OUTPUT_NO_TENSOR POST_HOOK_NON_LEAF POST_HOOK_RESULT REQUIRES_GRAD_BOOL RETAIN_WITHOUT_GRAD SAVED_VARIABLES SETUP_CONTEXT_MISSING SWITCH_NON_LEAF SWITCH_OFF_NON_LEAF VERSIONS_OF_NOTHING VIEW_OF_LEAF VIEW_ORIGINS VMAP_MISSING VOLATILE_ARGUMENT VOLATILE_ATTRIBUTE anomaly_parent anomaly_trace check_hook check_nan check_node_hook forbidden_view forward_stack function_made grad_count grad_of_complex gradient_count gradient_not_tensor gradient_of_constant gradient_type input_type input_unused invalid_gradient mismatched_gradient mismatched_gradient_dtype no_grad_fn short stale_value unpacked_not_tensor",
    "words.errors.indexing": "BYTE_INDEX INDEX_DTYPE INDEX_OF_EMPTY LIST_AS_TUPLE MASKED_SCATTER_SIZE NONZERO_META NONZERO_TUPLE NO_DELETE SCALAR_INDEX SCALAR_NAMES SCALAR_SLICE SLICE_STEP WHERE_BYTE WHERE_FORMS cannot_set_to check_masked_scatter check_masked_select copy_argument expanded_write fill_arguments fill_value_dims index_put_dtypes index_range index_shapes index_value_shape invalid_index mask_dtype mask_shape masked_fill_arguments masked_fill_value nonzero_out not_a_tensor_element number_overflow of_numpy refusal sequence_data too_many_indices tuple_of_tensors type_name_of values_must_be_tensor where_arguments where_condition where_condition_argument",
    "words.errors.instances": "BAG_PADDING NESTED NESTED_BATCH_FIRST TRANSFORMER_BATCHES TRANSFORMER_FEATURES bilinear_features instance_features instance_running instance_unused layer_margin multi_margin_weight nested_refused transformer_activation",
    "words.errors.joining": "EMPTY_CAT FILL_DIAGONAL_RANK FILL_DIAGONAL_SIZES FLIPLR_RANK FLIPUD_RANK MESHGRID_DTYPE MESHGRID_EMPTY MESHGRID_INDEXING NEGATIVE_REPEAT NEGATIVE_REPEATS REPEATS_ONE_DIM REPEATS_OUTPUT_SIZE REPEATS_RANK REPEAT_RANK ROLL block_diag_rank cat_dims cat_scalar cat_sizes combinations_count diag_rank element_type empty_list meshgrid_rank meshgrid_unknown repeats_output_size repeats_size roll_align rot90_dims rot90_rank rot90_same stack_sizes tensors_argument triangle_rank vector_only",
    "words.errors.layers": "EMBEDDING_WEIGHT INDEX_RANGE PADDING_IDX channel_parameter check_batch_norm check_embedding check_group_norm check_layer_norm check_normalized check_parameters check_rms_norm check_running check_shape_argument check_vector_weight embedding_indices rms_norm_dtypes spatial_elements values_per_channel",
    "words.errors.lazily": "NO_MEMORY_YET NO_SHAPE_YET lazy_input_dims no_initialize_parameters not_fully_initialized used_too_early",
    "words.errors.linalg": "BOTH_SAME_DTYPE CHAIN_MATMUL EINSUM_ARGUMENTS EINSUM_FEWER EINSUM_MORE EINSUM_OUTPUT_ELLIPSIS EINSUM_RANGE PLAIN_C_NAMES TENSORDOT_LENGTHS c_word check_addbmm check_addmm check_addmv check_addmv_parts check_addr check_baddbmm check_batches check_bmm check_dot check_factors check_inner check_mm check_mv check_target check_trace check_vdot check_vectors contracted_many contracted_negative contracted_sizes contracted_what einsum_dot einsum_equation einsum_letter einsum_operand einsum_output einsum_repeated einsum_second_ellipsis einsum_sizes einsum_subscripts expected_1d expected_scalar_type inner_sizes matmul_scalar not_for_bool refuse_bool require_tensors same_dtype two_dtypes",
    "words.errors.loading": "BATCH_SAMPLER_ALONE BATCH_SIZES CHAIN_ITERABLE CONCAT_ITERABLE DATASETS_BOTH_WAYS DATASET_SIZES DROP_WITHOUT_BATCHES INDEX_PAST_START NEGATIVE_PREFETCH NEGATIVE_TIMEOUT NEGATIVE_WORKERS NOTHING_TO_PIN_FOR NO_DATASET NO_DATASETS NO_GETITEM PERSISTENT_WITHOUT_WORKERS PREFETCH_WITHOUT_WORKERS SAMPLER_AND_SHUFFLE SPLIT_SUM TENSOR_SIZES TIMEOUT_WITHOUT_WORKERS boolean_option caught_in_worker context_without_workers empty_split fixed_attribute iterable_option longer_than_said nested_size no_fraction positive_option subset_overrides uncollatable unknown_context weights_shape",
    "words.errors.losses": "ELEMENTWISE_MEAN HUBER_DELTA KL_MEAN LOSS_WEIGHTS PROBABILITIES SMOOTH_L1_BETA bce_sizes broadcast_loss check_class_probabilities check_cosine_embedding check_huber check_kl_div check_logits check_loss check_loss_weight check_margin_ranking check_nll check_nll_shapes check_not_wider check_probabilities check_soft_margin check_triplet class_weights cosine_of_integers may_miss not_a_mode not_a_reduction not_differentiable other_target_size smoothing_range target_batch target_of_one target_out_of_bounds target_shape torch_size triplet_margin",
    "words.errors.margins": "MULTI_MARGIN_P VAR_NEGATIVE VAR_SIZE check_multi_margin check_multilabel_margin check_rows",
    "words.errors.matrices": "COMPLEX_HALF CROSS_DEPRECATED CROSS_NO_DIM CROSS_RANKS EIG_NOT_FINITE LSTSQ_DIMS LSTSQ_DRIVER LSTSQ_RANKS LSTSQ_SCALAR MATRIX_NORM_SCALAR NO_EPS QR_COMPLETE QR_ONLY_R RANK_DIMS SOLVE_SINGULAR SVD_DRIVER SVD_NOT_FINITE check_cdist check_cdist_dtypes check_chain check_cond check_dist check_eig_dtype check_float check_kernel check_lstsq check_matrix check_norm_dtype check_pinv check_precision check_square check_tolerance check_vecdot check_vector_norm compute_mode cross_length float_needed linear_scalar matrix_norm_order matrix_norm_pair matrix_norm_same norm_dims norm_rank not_full_rank not_positive_definite phase_matters power_not_int qr_mode singular solve_dtypes solve_shapes which_triangle zero_pivot",
    "words.errors.modules": "CLIP_GRAD_NORM COMPLEX_MODULES DEAD_MODULE EMBEDDING_SHAPE EMPTY_GENERATOR FAR_FROM_MEAN FULL_HOOK_WITHOUT_INPUT GROUPS_POSITIVE HOOK_GRADS_EXPECTED_NONE LOAD_HOOK_RESULT META_MODULE MIXED_BACKWARD_HOOKS MODULE_COPY NOTHING_TO_FILL NOT_TRAINING_BOOL NO_FANS NO_TARGET OLD_HOOK_INPUT OLD_HOOK_NODES OLD_HOOK_RESULT OLD_HOOK_RESULT_NODES PRETRAINED_DIMS SAME_PADDING_STRIDED STATE_DICT_POSITIONAL STATE_HOOK_RESULT STATE_HOOK_TWICE TAKEN attribute_exists before_init cannot_assign cannot_register divisible expected_dims extra_state fan_mode hardtanh_ends hardtanh_renamed hook_count hook_silenced hooks_want_tensors huber_delta init_renamed kind_name module_arguments module_dtype name_empty name_not_string name_with_dot no_member non_leaf_parameter norm_not_finite not_a_module not_iterable not_of_kind num_channels old_reduction only_dimensions only_zeros_padding out_of_range output_size_count output_size_range padding_mode padding_text pair_length pair_not_iterable parameter_key pre_hook_result sequential_add sequential_times sequential_times_none softmax2d_input state_errors state_keys state_not_a_dict state_not_a_tensor state_not_copied state_shape state_to_meta unflattened_element unflattened_type vector_type without_forward",
    "words.errors.neural": "CELU_ALPHA DROPOUT2D_SERIES DROPOUT_FEATURES GELU_APPROXIMATE GLU_SCALAR HARDTANH_BOUNDS LARGE_CLASS NEGATIVE_CLASS NEGATIVE_ELU NEGATIVE_SLOPE NO_CLASSES ONE_HOT_TYPE PRELU_SCALAR RRELU_BOUNDS SDPA_CAUSAL SDPA_DROPOUT c_name check_attention check_attention_choices check_floating check_glu check_hardtanh check_pdist check_prelu check_prelu_weight check_softmax check_softshrink check_threshold dropout1d_dims dropout_dims dropout_probability implicit_dim no_derivative_of not_implemented_derivative odd_half response_dims",
    "words.errors.no_tensors": "KERNELS READ_FIRST untensored",
    "words.errors.only_pytorch": "ELSEWHERE FAMILIES absent absent_call",
    "words.errors.outputs": "COMPUTED_IN_OUT HIGHER ONLY_HIGHER ONLY_THE_SAME SAME cannot_hold check_output check_wanted filled inplace_dtype name name_for_output names places_dtype tensor_type text",
    "words.errors.parametrized": "CANNOT_LEAVE_PARAMETRIZED NO_PARAMETRIZATION PARAMETRIZED_STATE SEQUENCE SEVERAL_ORIGINALS check_inverse_dtype check_next check_next_inverse check_norm_dim check_parametrized check_value check_values inverse_element inverse_type must_be_tensor_result no_inverse no_parameter_or_buffer not_parametrized nothing_to_parametrize",
    "words.errors.pools": "SERIES ZERO_DIVISOR check_avg_pool check_max_pool check_max_series check_max_series_result check_pool_input check_pool_numbers check_pooled_sizes check_series_numbers pool_numbers",
    "words.errors.pruning": "PARAMETERS_NO_ITERABLE SCORES_NO_DICT STRUCTURED_WITHOUT_DIM check_amount check_fewer check_mask check_scores check_structured no_pruning_method not_pruned only_unstructured other_parameter pruning_type",
    "words.errors.random": "COMPLEX_STD CUDA_GENERATOR NEGATIVE_STD byte_tensor_expected no_generator",
    "words.errors.recurrent": "CAUSAL_WITHOUT_MASK HEADS_DIVIDE KIND LSTM_PROJECTION MASKS_DIFFER NO_SEQUENCES PACKED_DEVICE RNN_DROPOUT RNN_PROJECTION RNN_PROJECTION_LARGE RNN_PROJECTION_LSTM RNN_WITHOUT_STEPS SCALAR_SEQUENCE attention_embedding attention_key attention_mask attention_mask_dtype attention_mask_shape attention_query attention_sizes attention_values cell_batch cell_dims cell_hidden cell_input cell_nonlinearity check_lengths check_packed check_padding dropout_of_one_layer lengths_dims no_sequences not_positive padding_side rnn_argument rnn_dtype rnn_hidden_dims rnn_hidden_size rnn_input_dims rnn_input_size total_length unknown_nonlinearity",
    "words.errors.reduce": "BINCOUNT_INPUT DIFF_OF_SCALAR K_RANGE UNIQUE_EMPTY UNIQUE_NOT_SELECTED boundaries_shape check_aminmax check_bincount check_diff_part check_extreme_along check_extreme_of_all check_extreme_values check_histc check_index_of check_isin check_keepdim check_kind_dim check_kthvalue check_logcumsumexp check_logsumexp check_median check_median_along check_mode check_nansum check_one_dim check_places check_quantile check_reduced_dim check_running_extreme check_scan check_searchsorted check_sort check_sorter check_topk check_unique_runs check_unique_slices derivative_missing empty_reduction empty_without_dim kth_range nanmean_of_integers negative_order not_expandable shown spread_of_integers too_few_degrees",
    "words.errors.reparametrized": "WEIGHT_NORM hooked_twice not_hooked power_iterations spectral_without_weight",
    "words.errors.resampling": "LETTERS MODE_DIMS RESAMPLING_BOTH RESAMPLING_CORNERS RESAMPLING_RECOMPUTE RESAMPLING_SIZE UPSAMPLE check_antialias check_channel_shuffle check_nearest check_pixel_shuffle check_pixel_unshuffle check_resampled_sizes check_resampling check_resampling_mode resampling_count resampling_dims resampling_kernel",
    "words.errors.saving": "BACKWARD_AND_VJP CALLBACK_OUTSIDE CHECKPOINT_DEBUG_CONTEXT CHECKPOINT_MORE CHECKPOINT_PARTIAL CHECKPOINT_SUPPRESSED CHECKPOINT_TIP CHECKPOINT_UNPACKED_TWICE CONSTANT_NO_TENSOR DELETE_DATA DIRTY_NOT_RETURNED DIRTY_NO_INPUT DIRTY_NO_TENSOR GRADS_BATCH_DIM HOOKS_ON_FREED HOOKS_ON_NONE HOOKS_TWICE MUTATION_NESTED MUTATION_OUTSIDE PACK_WRITES SAVED_ONCE SAVED_TENSOR_MADE batch_sizes batched_shape checkpoint_check checkpoint_mismatch checkpoint_other checkpoint_traces func_argnum func_aux functional_call_keys hook_arguments hook_mode node_argument node_arguments not_callable saved_no_tensor stacks",
    "words.errors.schedules": "CONSTANT_FACTOR CYCLE_MODE CYCLE_MOMENTUM END_FACTOR EPOCH_GIVEN HOW_TO_ADJUST PLATEAU_FACTOR START_FACTOR STEPS_IN_WRONG_ORDER STEP_REPLACED TOTAL_STEPS USE_LAST_LR groups_joined_later lowest_rate negative_epoch no_initial_rate no_lambda no_optimizer no_schedulers no_share no_strategy number_of_lambdas number_of_least_rates number_of_milestones number_of_values other_optimizer plateau_among_schedulers positive_integer scheduler_without_optimizer steps_exceeded wave_factor",
    "words.errors.shapes": "NEGATIVE_LENGTH TOO_MANY_DIMS broadcast check_broadcast dim_range expand_size inplace_shape mismatched_shape no_memory not_a_shape size_and_other size_item translated",
    "words.errors.training": "BETAS CAPTURABLE DUPLICATE_PARAMETERS EMPTY_PARAMETERS FOREACH_DIFFERENTIABLE FOREACH_TENSOR_RATE FUSED_DIFFERENTIABLE FUSED_FOREACH NESTEROV NON_LEAF_PARAMETER OTHER_NUMBER_OF_GROUPS OTHER_SIZE_OF_GROUP PARAMETER_IN_TWO_GROUPS SOME_NAMED UNORDERED_PARAMETERS foreach_tensor fused_parameters groups_named hook_result invalid_etas invalid_option no_group no_iterable_of_parameters no_parameter one_element option_required type_name",
    "words.errors.types": "COMPLEX_TO_REAL CUDA_DEVICE_EXPECTED CUDA_LIBRARY C_NAMES DEFAULT_NOT_FLOATING DEVICE_TYPES EMPTY_DEVICE FINFO_OF_INTEGER IINFO_OF_BOOL IINFO_OF_FLOAT LEGACY_DEVICE NEGATIVE_DEVICE NO_ACCELERATOR NO_BFLOAT16 NO_CUDA SET_DEFAULT_TENSOR_TYPE TYPE_EXPECTED cannot_cast class_name device_arguments device_index_twice invalid_default invalid_device legacy_device legacy_dtype mean_of_integers no_backend not_compiled_with numpy_dtype_unsupported other_device promotion_unsupported read_only_device tensor_options type_string type_word unknown_complex unknown_device",
    "words.errors.views": "COMPLEX_LAST COMPLEX_SCALAR COMPLEX_STRIDE COMPLEX_STRIDES FLATTEN_ORDER IMAG_OF_REAL NARROW_LENGTH NARROW_SCALAR NARROW_START ONE_INFERRED PERMUTE_TWICE REAL_VIEW_OF_REAL RESIZE_TRACKED SCALAR_ADJOINT SELECT_SCALAR SET_TRACKED SIZE_OVERFLOW STORAGE_SLICE STRIDED_LENGTHS TYPED_STORAGE T_OF_OTHER UNFLATTEN_EMPTY VIEW_INCOMPATIBLE ambiguous_shape axis_split_rank axis_split_sections chunk_count complex_dtype diagonal_dims dim_twice expand_leading expand_rank format_rank movedim_counts movedim_twice narrow_range negative_sides negative_size negative_stride no_dimensions not_matrices permute_count scalar_transpose section_count select_range set_dtype shape_mismatch split_negative split_scalar split_sizes_negative split_sum split_zero start_range storage_index storage_range storage_step storage_value strided_bounds strided_offset strided_sizes t_dimensions tensor_split_dims tensor_split_dtype tensor_split_scalar typed_storage_index unflatten_sizes unflatten_unexpected unfold_size unfold_step view_dtype",
    "words.errors.windows": "ODD_MARGIN PADDING_OF_STRIDES PAD_COMBINATIONS batch_or_not by check_channels check_constant_pad check_convolution check_fold check_pad check_transposed check_unfold check_weight_dims check_windows margin_dims not_two other_count_of_sizes padding_word pair transposed_padding zero_dilation",
    "words.errors.writing": "OVERLAP_PARTIAL OVERLAP_SELF always check_overlap given is_warn_always_enabled not_a_switch out_with_grad resized_out set_warn_always threads_kind unknown_debug_mode unknown_debug_word warn warn_once",
}

LEFT_OUT = "apply_ as_subclass ccol_indices chalf cholesky cholesky_inverse cholesky_solve coalesce col_indices const_data_ptr corrcoef cov crow_indices dense_dim dequantize dim_order eig geqrf grad_dtype hash_tensor igamma igamma_ igammac igammac_ index indices int_repr ipu is_coalesced is_distributed is_ipu is_maia is_mtia is_nested is_pinned is_sparse_csr is_vulkan is_xla istft lstsq lu lu_solve map2_ map_ matrix_exp module_load mtia mvlgamma mvlgamma_ nonzero_static orgqr ormqr pin_memory q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qscheme record_stream reinforce renorm renorm_ resize resize_as resize_as_sparse_ row_indices share_memory_ slice_inverse smm solve sparse_dim sparse_mask sparse_resize_ sparse_resize_and_clear_ sspaddmm stft storage_type symeig to_dense to_mkldnn to_padded_tensor to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr triangular_solve unsafe_split_with_sizes values xpu"

BEYOND: dict[str, dict[str, str]] = {}

BEYOND["autograd.functional"] = {
    "beyond.functional": "hessian hvp jacobian jvp vhp vjp",
}

BEYOND["distributions"] = {
    "beyond.distributions.bernoulli": "Bernoulli",
    "beyond.distributions.beta": "Beta",
    "beyond.distributions.categorical": "Categorical",
    "beyond.distributions.dirichlet": "Dirichlet",
    "beyond.distributions.distribution": "Distribution",
    "beyond.distributions.exp_family": "ExponentialFamily",
    "beyond.distributions.exponential": "Exponential",
    "beyond.distributions.gamma": "Gamma",
    "beyond.distributions.independent": "Independent",
    "beyond.distributions.kl": "kl_divergence register_kl",
    "beyond.distributions.multinomial": "Multinomial",
    "beyond.distributions.multivariate_normal": "MultivariateNormal",
    "beyond.distributions.normal": "Normal",
    "beyond.distributions.uniform": "Uniform",
}

BEYOND["distributions.bernoulli"] = {
    "beyond.distributions.bernoulli": "Bernoulli",
}

BEYOND["distributions.beta"] = {
    "beyond.distributions.beta": "Beta",
}

BEYOND["distributions.categorical"] = {
    "beyond.distributions.categorical": "Categorical",
}

BEYOND["distributions.constraints"] = {
    "beyond.distributions.constraints": "Constraint boolean dependent dependent_property greater_than greater_than_eq half_open_interval independent integer_interval interval is_dependent less_than lower_cholesky lower_triangular multinomial nonnegative nonnegative_integer one_hot positive positive_definite positive_integer positive_semidefinite real real_vector simplex square symmetric unit_interval",
}

BEYOND["distributions.dirichlet"] = {
    "beyond.distributions.dirichlet": "Dirichlet",
}

BEYOND["distributions.distribution"] = {
    "beyond.distributions.distribution": "Distribution",
}

BEYOND["distributions.exp_family"] = {
    "beyond.distributions.exp_family": "ExponentialFamily",
}

BEYOND["distributions.exponential"] = {
    "beyond.distributions.exponential": "Exponential",
}

BEYOND["distributions.gamma"] = {
    "beyond.distributions.gamma": "Gamma",
}

BEYOND["distributions.independent"] = {
    "beyond.distributions.independent": "Independent",
}

BEYOND["distributions.kl"] = {
    "beyond.distributions.kl": "kl_divergence register_kl",
}

BEYOND["distributions.multinomial"] = {
    "beyond.distributions.multinomial": "Multinomial",
}

BEYOND["distributions.multivariate_normal"] = {
    "beyond.distributions.multivariate_normal": "MultivariateNormal",
}

BEYOND["distributions.normal"] = {
    "beyond.distributions.normal": "Normal",
}

BEYOND["distributions.uniform"] = {
    "beyond.distributions.uniform": "Uniform",
}

BEYOND["distributions.utils"] = {
    "beyond.distributions.parameters": "broadcast_all clamp_probs lazy_property logits_to_probs probs_to_logits",
}

BEYOND["func"] = {
    "beyond.func": "functional_call grad grad_and_value hessian jacfwd jacrev jvp vjp",
    "beyond.module_state": "replace_all_batch_norm_modules_ stack_module_state",
    "beyond.vmap": "vmap",
}

BEYOND["nn"] = {
    "beyond.nn.adaptive": "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d",
    "beyond.nn.attention": "MultiheadAttention",
    "beyond.nn.curves": "CELU GLU Mish Softsign",
    "beyond.nn.decoder": "Transformer TransformerDecoder TransformerDecoderLayer",
    "beyond.nn.distance": "CosineSimilarity PairwiseDistance",
    "beyond.nn.flatten": "Flatten Unflatten",
    "beyond.nn.folding": "Fold Unfold",
    "beyond.nn.instance_norm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d LocalResponseNorm",
    "beyond.nn.lazy": "LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d LazyLinear UninitializedBuffer UninitializedParameter",
    "beyond.nn.margin_losses": "CTCLoss GaussianNLLLoss MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss PoissonNLLLoss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss",
    "beyond.nn.padding": "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d",
    "beyond.nn.parallel": "DataParallel",
    "beyond.nn.parameter_containers": "ParameterDict ParameterList",
    "beyond.nn.resampling": "ChannelShuffle PixelShuffle PixelUnshuffle Upsample UpsamplingBilinear2d UpsamplingNearest2d",
    "beyond.nn.thresholds": "Hardshrink Hardsigmoid Hardswish RReLU Softshrink Tanhshrink Threshold",
    "beyond.nn.transformer": "TransformerEncoder TransformerEncoderLayer",
}

BEYOND["nn.functional"] = {
    "beyond.nn.functional_attention": "multi_head_attention_forward",
    "beyond.nn.functional_margins": "gaussian_nll_loss multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss triplet_margin_with_distance_loss",
    "beyond.nn.functional_resampling": "interpolate upsample",
    "beyond.nn.functional_sequences": "ctc_loss",
    "beyond.ops.attention": "scaled_dot_product_attention",
    "beyond.ops.bilinear": "bilinear",
    "beyond.ops.fold": "fold unfold",
    "beyond.ops.pixel_shuffle": "channel_shuffle pixel_shuffle pixel_unshuffle",
}

BEYOND["nn.parameter"] = {
    "beyond.nn.lazy": "UninitializedBuffer UninitializedParameter",
}

BEYOND["nn.utils"] = {
    "beyond.nn.clipping": "clip_grad_norm clip_grad_norm_ clip_grad_value_ clip_grads_with_norm_ get_total_norm",
    "beyond.nn.spectral_norm": "remove_spectral_norm spectral_norm",
    "beyond.nn.vectors": "parameters_to_vector vector_to_parameters",
    "beyond.nn.weight_norm": "remove_weight_norm weight_norm",
}

BEYOND["nn.utils.parametrizations"] = {
    "beyond.nn.parametrizations": "spectral_norm weight_norm",
}

BEYOND["nn.utils.parametrize"] = {
    "beyond.nn.parametrize": "ParametrizationList cached is_parametrized register_parametrization remove_parametrizations transfer_parametrizations_and_params type_before_parametrizations",
}

BEYOND["nn.utils.prune"] = {
    "beyond.nn.pruning": "BasePruningMethod CustomFromMask Identity L1Unstructured LnStructured PruningContainer RandomStructured RandomUnstructured custom_from_mask global_unstructured identity is_pruned l1_unstructured ln_structured random_structured random_unstructured remove",
}

BEYOND["optim"] = {
    "beyond.optim.adadelta": "Adadelta",
    "beyond.optim.adagrad": "Adagrad",
    "beyond.optim.adamax": "Adamax",
    "beyond.optim.asgd": "ASGD",
    "beyond.optim.nadam": "NAdam",
    "beyond.optim.radam": "RAdam",
    "beyond.optim.rmsprop": "RMSprop",
    "beyond.optim.rprop": "Rprop",
}

BEYOND["optim.lr_scheduler"] = {
    "beyond.optim.lr_combined": "ChainedScheduler SequentialLR",
    "beyond.optim.lr_cycle": "OneCycleLR",
    "beyond.optim.lr_decay": "ConstantLR CosineAnnealingLR ExponentialLR LinearLR MultiStepLR PolynomialLR StepLR",
    "beyond.optim.lr_functions": "LambdaLR MultiplicativeLR",
    "beyond.optim.lr_plateau": "ReduceLROnPlateau",
    "beyond.optim.lr_scheduler": "LRScheduler",
    "beyond.optim.lr_waves": "CosineAnnealingWarmRestarts CyclicLR",
}

BEYOND["utils"] = {
    "beyond.swapping": "swap_tensors",
}

BEYOND["utils.checkpoint"] = {
    "beyond.checkpoint": "CheckpointError checkpoint checkpoint_sequential noop_context_fn set_checkpoint_debug_enabled set_checkpoint_early_stop",
}

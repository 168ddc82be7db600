// Karpenter with its KWOK provider: the program of sigs.k8s.io/karpenter/kwok, except that metrics and health are
// served on loopback only. Upstream listens on every interface and has no setting for it.
package main

import (
	"github.com/samber/lo"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	kwok "sigs.k8s.io/karpenter/kwok/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/overlay"
	"sigs.k8s.io/karpenter/pkg/controllers"
	"sigs.k8s.io/karpenter/pkg/controllers/node/health"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator"
)

func main() {
	ctrl.NewManager = func(config *rest.Config, options manager.Options) (manager.Manager, error) {
		options.Metrics.BindAddress = "127.0.0.1" + options.Metrics.BindAddress
		options.HealthProbeBindAddress = "127.0.0.1" + options.HealthProbeBindAddress
		return manager.New(config, options)
	}

	ctx, op := operator.NewOperator()
	instanceTypes := lo.Must(kwok.ConstructInstanceTypes(ctx))
	undecorated := kwok.NewCloudProvider(ctx, op.GetClient(), instanceTypes)
	cloudProvider := overlay.Decorate(undecorated, op.GetClient(), op.InstanceTypeStore)
	repairs := lo.Must(health.NewRepairPolicyMatcher(ctx, cloudProvider))
	cluster := state.NewCluster(op.Clock, op.GetClient(), cloudProvider, state.WithRepairPolicyMatcher(repairs))
	op.WithControllers(ctx, controllers.NewControllers(
		ctx,
		op.Manager,
		op.Clock,
		op.GetClient(),
		op.EventRecorder,
		cloudProvider,
		undecorated,
		cluster,
		op.InstanceTypeStore,
		op.PredictionStore,
	)...).Start(ctx)
}
